"""A folder as the root of a fake machine, with stub programs that log their calls."""

import os
from pathlib import Path

PYTHON = """\
#!/bin/sh
# a Python stub: -m venv copies this stub into the environment, -m pip writes a stub of the program
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
well() {{ [ ! -e {heard}.only ] || [ "$(readlink {root}/opt/oxeye/venv)" = "$(cat {heard}.only)" ]; }}
case $* in
  --root=*) exec /usr/bin/systemctl "$@" ;;
  "restart oxeye.service") well || [ -n "$OXEYE_FAILS_LATE" ] ;;
  "show --value -p NRestarts oxeye.service") if well; then echo 0; else echo 1; fi ;;
esac
"""
SILENT = "apt-get", "apt-cache", "udevadm", "sleep", "sync", "systemd-sysusers", "systemd-tmpfiles"


class Folder:
    """``heard`` returns the logged calls; ``environ`` puts the stubs first in PATH."""

    def __init__(self, root: Path) -> None:
        self.root, self._heard = root / "root", root / "heard"
        programs = root / "programs"
        for folder in (self.root, programs):
            folder.mkdir()
        scripts = {"python3": PYTHON, "systemctl": SYSTEMCTL}
        for name in (*scripts, *SILENT):
            program = programs / name
            script = scripts.get(name, f'#!/bin/sh\necho "{name} $*" >>{{heard}}\n')
            program.write_text(script.format(heard=self._heard, root=self.root))
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

    def only(self, program: str) -> None:
        """Let the service start with this program only."""
        self._heard.with_name(f"{self._heard.name}.only").write_text(program)
