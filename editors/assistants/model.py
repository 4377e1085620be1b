#!/usr/bin/env python3
"""A model that plays a script: `model.py SCRIPT.json HEARD.jsonl` serves the protocols of coding agents on a loopback port.

SCRIPT.json is a list of turns, one for each request that offers tools:
    {"say": TEXT}                   the model ends its turn
    {"call": TOOL, "with": {...}}   it calls a tool with arguments
    {"call": TOOL, "text": TEXT}    it calls a tool that takes plain text
A request without tools (agents ask for titles) gets a word and uses up no turn. After the last turn the model says that it is done.
HEARD.jsonl gets a line for each turn: every text that the model could read then. The port is printed first. Nothing is sent anywhere.
"""
import http.server
import json
import sys
import threading


def texts(value):
    """Yields every string in what a conversation holds, in order; roles, ids and kinds are no texts."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for part in value:
            yield from texts(part)
    elif isinstance(value, dict):
        for key in ("content", "text", "output"):
            if key in value:
                yield from texts(value[key])


def anthropic(turn, number, model):
    """The events of a reply of the messages protocol."""
    if "say" in turn:
        block, delta, why = {"type": "text", "text": ""}, {"type": "text_delta", "text": turn["say"]}, "end_turn"
    else:
        block = {"type": "tool_use", "id": f"toolu_{number:04}", "name": turn["call"], "input": {}}
        delta, why = {"type": "input_json_delta", "partial_json": json.dumps(turn["with"])}, "tool_use"
    usage = {"input_tokens": 1, "output_tokens": 1, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0}
    message = {"id": f"msg_{number:04}", "type": "message", "role": "assistant", "model": model, "content": [], "usage": usage,
               "stop_reason": None, "stop_sequence": None}
    for event in (
        {"type": "message_start", "message": message},
        {"type": "content_block_start", "index": 0, "content_block": block},
        {"type": "content_block_delta", "index": 0, "delta": delta},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": {"stop_reason": why, "stop_sequence": None}, "usage": usage},
        {"type": "message_stop"},
    ):
        yield event["type"], event


def responses(turn, number, model):
    """The events of a reply of the responses protocol."""
    ids = {"call_id": f"call_{number:04}", "status": "completed"}
    if "say" in turn:
        part = {"type": "output_text", "text": turn["say"], "annotations": []}
        item = {"type": "message", "id": f"msg_{number:04}", "role": "assistant", "status": "completed", "content": [part]}
    elif "text" in turn:
        item = {"type": "custom_tool_call", "id": f"ctc_{number:04}", "name": turn["call"], "input": turn["text"], **ids}
    else:
        item = {"type": "function_call", "id": f"fc_{number:04}", "name": turn["call"], "arguments": json.dumps(turn["with"]), **ids}
    usage = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2, "input_tokens_details": {"cached_tokens": 0},
             "output_tokens_details": {"reasoning_tokens": 0}}
    response = {"id": f"resp_{number:04}", "object": "response", "created_at": 0, "model": model, "output": [], "status": "in_progress"}
    yield "response.created", {"type": "response.created", "response": response}
    yield "response.output_item.added", {"type": "response.output_item.added", "output_index": 0, "item": item}
    yield "response.output_item.done", {"type": "response.output_item.done", "output_index": 0, "item": item}
    done = {**response, "status": "completed", "output": [item], "usage": usage}
    yield "response.completed", {"type": "response.completed", "response": done}


def completions(turn, number, model):
    """The chunks of a reply of the chat completions protocol."""
    chunk = {"id": f"chatcmpl-{number:04}", "object": "chat.completion.chunk", "created": 0, "model": model}
    if "say" in turn:
        delta, why = {"role": "assistant", "content": turn["say"]}, "stop"
    else:
        function = {"name": turn["call"], "arguments": json.dumps(turn["with"])}
        call = {"index": 0, "id": f"call_{number:04}", "type": "function", "function": function}
        delta, why = {"role": "assistant", "content": None, "tool_calls": [call]}, "tool_calls"
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    yield None, {**chunk, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]}
    yield None, {**chunk, "choices": [{"index": 0, "delta": {}, "finish_reason": why}], "usage": usage}
    yield None, "[DONE]"


PROTOCOLS = {"/messages": anthropic, "/responses": responses, "/chat/completions": completions}


class Model(http.server.BaseHTTPRequestHandler):
    """One request; the state of the play is the server's."""

    def log_message(self, *_):
        pass

    def answer(self, kind, data):
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def plain(self, value):
        self.answer("application/json", json.dumps(value).encode())

    def do_GET(self):
        self.plain({"object": "list", "data": []})

    do_HEAD = do_GET

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers.get("content-length") or 0)) or b"{}")
        path = self.path.split("?")[0]
        protocol = next((p for end, p in PROTOCOLS.items() if path.endswith(end)), None)
        if protocol is None:
            return self.plain({"input_tokens": 1})
        turn, number = self.server.next_turn(body)
        events = []
        for name, data in protocol(turn, number, body.get("model")):
            text = data if isinstance(data, str) else json.dumps(data)
            events.append((f"event: {name}\n" if name else "") + f"data: {text}\n\n")
        self.answer("text/event-stream", "".join(events).encode())


class Play(http.server.ThreadingHTTPServer):
    """The script and how far it is."""

    def __init__(self, script, heard):
        super().__init__(("127.0.0.1", 0), Model)
        self.turns = json.load(open(script, encoding="utf-8"))
        self.heard = open(heard, "a", encoding="utf-8")
        self.lock = threading.Lock()
        self.number = 0

    def next_turn(self, body):
        with self.lock:
            if not body.get("tools"):
                return {"say": "Title"}, 0
            turn = self.turns[self.number] if self.number < len(self.turns) else {"say": "I am done."}
            self.number += 1
            conversation = list(texts(body.get("messages") or body.get("input") or []))
            self.heard.write(json.dumps(conversation) + "\n")
            self.heard.flush()
            return turn, self.number


if __name__ == "__main__":
    play = Play(sys.argv[1], sys.argv[2])
    print(play.server_address[1], flush=True)
    play.serve_forever()
