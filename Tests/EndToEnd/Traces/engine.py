"""Perfetto's own trace processor, asked by SQL."""
import os
import struct
import subprocess

from perfetto.trace_processor.platform import PlatformDelegate
from perfetto.trace_processor.protos import ProtoFactory

PROTOS = ProtoFactory(PlatformDelegate())
RPC = PROTOS.TraceProcessorRpc
SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "engine.js")


class Engine:
    """A trace that the engine has read."""

    def __init__(self, folder, trace):
        self.process = subprocess.Popen(
            ["node", SCRIPT, folder], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL)
        with open(trace, "rb") as file:
            while piece := file.read(1 << 22):
                request = RPC(request=RPC.TPM_APPEND_TRACE_DATA, append_trace_data=piece)
                for answer in self._ask(request):
                    if answer.append_result.error:
                        raise RuntimeError(answer.append_result.error)
        self._ask(RPC(request=RPC.TPM_FINALIZE_TRACE_DATA))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait()

    def rows(self, sql):
        """The rows that a query gives, as tuples."""
        request = RPC(request=RPC.TPM_QUERY_STREAMING)
        request.query_args.sql_query = sql
        self._send(request)
        width, values = 0, []
        while True:
            for answer in self._answer():
                result = answer.query_result
                if result.error:
                    raise RuntimeError(result.error)
                width = width or len(result.column_names)
                for batch in result.batch:
                    values += cells(batch)
                    if batch.is_last_batch:
                        return [tuple(values[i:i + width]) for i in range(0, len(values), width)]

    def value(self, sql):
        """The only value that a query gives."""
        return self.rows(sql)[0][0]

    def _ask(self, request):
        self._send(request)
        return self._answer()

    def _send(self, request):
        stream = PROTOS.TraceProcessorRpcStream()
        stream.msg.add().CopyFrom(request)
        data = stream.SerializeToString()
        self.process.stdin.write(struct.pack("<I", len(data)) + data)
        self.process.stdin.flush()

    def _answer(self):
        head = self.process.stdout.read(4)
        if len(head) < 4:
            raise RuntimeError("Perfetto's engine has ended")
        stream = PROTOS.TraceProcessorRpcStream()
        stream.ParseFromString(self.process.stdout.read(struct.unpack("<I", head)[0]))
        return stream.msg


def cells(batch):
    """The values of a batch, whose cells lie apart by type."""
    numbers, doubles = iter(batch.varint_cells), iter(batch.float64_cells)
    texts, blobs = iter(batch.string_cells.split("\0")), iter(batch.blob_cells)
    kinds = {1: lambda: None, 2: lambda: next(numbers), 3: lambda: next(doubles),
             4: lambda: next(texts), 5: lambda: next(blobs)}
    return [kinds[cell]() for cell in batch.cells]
