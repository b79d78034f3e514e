"""The application that Hypercorn serves."""
import os


class App:
    """Answers requests with their paths, and logs each that has ended."""

    def __init__(self, log: str, head: int):
        self.log = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        self.fields = [(b"content-type", b"text/plain")] + [(b"x-%d" % index, b"x" * 1000) for index in range(head)]

    async def __call__(self, scope, receive, send):
        if scope["type"] != "http":
            return
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                return
            if not message.get("more_body"):
                break
        path = scope["path"]
        line = f"{scope['client'][1]} {scope['method']} {path} HTTP/{scope['http_version']}\n"
        os.write(self.log, line.encode())
        await send({"type": "http.response.start", "status": 200, "headers": self.fields})
        await send({"type": "http.response.body", "body": path.encode()})
