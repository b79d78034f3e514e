"""The application that Hypercorn serves: it sends each message back."""


async def app(scope, receive, send):
    if scope["type"] == "lifespan":
        while True:
            message = await receive()
            await send({"type": f"{message['type']}.complete"})
            if message["type"] == "lifespan.shutdown":
                return
    if scope["type"] != "websocket":
        return
    while True:
        message = await receive()
        if message["type"] == "websocket.connect":
            await send({"type": "websocket.accept"})
        elif message["type"] == "websocket.receive":
            content = {"text": message["text"]} if message.get("text") is not None else {"bytes": message["bytes"]}
            await send({"type": "websocket.send", **content})
        else:
            return
