"""Check what a wheel holds: the four packages with their data, and no other top-level name."""

import sys
import zipfile
from pathlib import PurePosixPath

EXPECTED = {"advisor", "engine", "models", "vision"}
NEEDED = {
    "advisor/messages/tr.json",
    "advisor/page/cards/KS.svg",
    "advisor/page/index.html",
    "advisor/page/js/main.js",
    "advisor/policies/tuned.json",
    "advisor/policies/value.npz",
    "advisor/samples/demo.pisti",
    "advisor/samples/position.json",
    "advisor/samples/sample.mp4",
    "advisor/samples/sample.pisti",
    "advisor/samples/table.jpg",
    "engine/py.typed",
    "models/weights/detector.onnx",
    "models/weights/manifest.json",
}

names = {PurePosixPath(name) for name in zipfile.ZipFile(sys.argv[1]).namelist()}
top = {name.parts[0] for name in names if not name.parts[0].endswith(".dist-info")}
missing = NEEDED - {str(name) for name in names}
if top != EXPECTED or missing:
    sys.exit(f"The wheel holds {sorted(top)}, and lacks {sorted(missing)}.")
print(f"The wheel holds {len(names)} files of {', '.join(sorted(top))}.")
