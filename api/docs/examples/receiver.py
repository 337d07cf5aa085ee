#!/usr/bin/env python3
"""A receiver of webhooks on 127.0.0.1 for the example `afternoon`.

  receiver.py FILE

Prints its port. Appends each delivery to FILE as a line of JSON: `headers`, with names in lower case, and `body`, the
text as it arrived. While FILE.unavailable exists it answers 503 and appends nothing.
"""
import http.server
import json
import pathlib
import sys

FILE = pathlib.Path(sys.argv[1])


class Receiver(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        is_available = not pathlib.Path(f"{FILE}.unavailable").exists()
        if is_available:
            headers = {name.lower(): value for name, value in self.headers.items()}
            with open(FILE, "a") as file:
                file.write(json.dumps({"headers": headers, "body": body}) + "\n")
        self.send_response(204 if is_available else 503)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True


FILE.touch()
server = Server(("127.0.0.1", 0), Receiver)
print(server.server_port, flush=True)
server.serve_forever()
