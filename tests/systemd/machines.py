"""Folders that stand for machines, with programs that only write down how they were called."""

import os
from pathlib import Path

PYTHON = """\
#!/bin/sh
# a Python that makes environments at once: in each a python as this one is, and once pip was called, the program
echo "python $*" >>{heard}
case $1$2 in
  -mvenv) for folder; do :; done; mkdir -p "$folder/bin" && cp "$0" "$folder/bin/python" ;;
  -mpip) printf '#!/bin/sh\\necho "oxeye $*" >>{heard}\\nexit ${{OXEYE_BROKEN:-0}}\\n' >"${{0%python}}oxeye"
         chmod 755 "${{0%python}}oxeye" ;;
esac
"""
SYSTEMCTL = """\
#!/bin/sh
echo "systemctl $*" >>{heard}
case $* in
  --root=*) exec /usr/bin/systemctl "$@" ;;
  "show --value -p NRestarts oxeye.service") echo 0 ;;
esac
case " ${{OXEYE_FAILS:-}} " in *" $1 "*) exit 1 ;; esac
"""
SILENT = "apt-get", "apt-cache", "udevadm", "sleep", "sync", "pinctrl"


class Folder:
    """``heard`` is what was called in it; ``environ`` is for whoever shall find these programs first."""

    def __init__(self, root: Path) -> None:
        self.root, self._heard = root / "root", root / "heard"
        programs = root / "programs"
        for folder in (self.root, programs):
            folder.mkdir()
        scripts = {"python3": PYTHON, "systemctl": SYSTEMCTL}
        for name in (*scripts, *SILENT):
            program = programs / name
            program.write_text(
                scripts.get(name, f'#!/bin/sh\necho "{name} $*" >>{{heard}}\n').format(heard=self._heard)
            )
            program.chmod(0o755)
        self.environ = os.environ | {
            "PATH": f"{programs}:/usr/sbin:/usr/bin:/sbin:/bin",
            "OXEYE_PYTHON": str(programs / "python3"),
        }

    def boot(self) -> None:
        (self.root / "run/systemd/system").mkdir(parents=True)

    def heard(self, *programs: str) -> list[str]:
        lines = self._heard.read_text().splitlines() if self._heard.exists() else []
        return [line for line in lines if line.split()[0] in programs]

    def silence(self) -> None:
        """What was heard before is forgotten."""
        self._heard.unlink(missing_ok=True)
