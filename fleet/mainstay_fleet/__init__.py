"""What the crash logs of many hosts say together, by crashscan on Apache Spark."""

from .job import findings
from .reading import Reading

__all__ = ["Reading", "findings"]
