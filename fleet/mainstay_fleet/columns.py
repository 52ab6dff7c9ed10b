"""The columns of the fleet's tables, as docs/fleet-schema.json has the rows they are made of."""

_SPREAD = """
    logs BIGINT, starts BIGINT, hosts BIGINT, hostNames ARRAY<STRING>,
    releases ARRAY<STRUCT<release: STRING, logs: BIGINT, starts: BIGINT>>, first STRING, last STRING,
    days ARRAY<STRUCT<day: STRING, logs: BIGINT, count: BIGINT>>
"""

TABLES = {
    "finding": f"""
        fingerprint STRING, rule STRING, severity STRING, title STRING, isVerdict BOOLEAN, isNew BOOLEAN,
        function STRING, module STRING, file STRING, line BIGINT, fix STRING, evidence ARRAY<STRING>,
        example STRING, count BIGINT, {_SPREAD}
    """,
    "occurrence": """
        fingerprint STRING, rule STRING, recording STRING, host STRING, release STRING, count BIGINT,
        first STRING, last STRING
    """,
    "log": """
        recording STRING, input STRING, host STRING, release STRING, environment STRING, executable STRING,
        process BIGINT, first STRING, last STRING, ending STRING, manner STRING, death STRING, crumbs BIGINT,
        findings BIGINT, unreadBytes BIGINT, isCutShort BOOLEAN, dropped BIGINT, overwritten BIGINT,
        unnamed ARRAY<STRING>
    """,
    "death": f"kind STRING, name STRING, {_SPREAD}",
    "culprit": f"function STRING, module STRING, fingerprints ARRAY<STRING>, titles ARRAY<STRING>, {_SPREAD}",
    "unread": "input STRING, why STRING",
}

# What is kept of each log that was read, so that it need not be read again.
KEPT = """
    path STRING, size BIGINT, modified BIGINT, way STRING, run STRING, state STRING, why STRING,
    seconds DOUBLE, summary STRING
"""
