import hashlib
import hmac
import json
import os
import time
from http.server import BaseHTTPRequestHandler, HTTPServer

SECRET = os.environ["WEBHOOK_SECRET"].encode()


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        timestamp = self.headers.get("X-Portal-Timestamp", "")
        signature = hmac.new(SECRET, timestamp.encode() + b"." + body, hashlib.sha256).hexdigest()
        is_signed = hmac.compare_digest(f"v1={signature}", self.headers.get("X-Portal-Signature", ""))
        is_genuine = is_signed and timestamp.isdigit() and abs(time.time() - int(timestamp)) < 300
        if is_genuine:
            delivery = json.loads(body)
            print(delivery["event"], delivery["data"], flush=True)
        self.send_response(204 if is_genuine else 403)
        self.end_headers()


HTTPServer(("", 8001), Receiver).serve_forever()
