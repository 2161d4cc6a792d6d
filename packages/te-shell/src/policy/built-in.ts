import type { MachineTopic } from "@llmc/errors";

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Raise privileges, or try to: refused everywhere, unless the operator's own list has them. */
export const PRIVILEGE_RAISERS: ReadonlySet<string> = words(
  "sudo sudoedit su doas pkexec run0 runuser sg newgrp capsh setpriv machinectl",
);

/** Without a sandbox, and where the operator wrote no list: what may be started. */
export const ALLOWED: ReadonlySet<string> = words(`
  ls cat head tail wc nl tac rev cut paste join tr sort uniq comm fold fmt expand unexpand column pr od xxd hexdump strings
  file stat readlink realpath basename dirname pwd echo printf true false test expr seq date cal sleep factor numfmt
  grep egrep fgrep zgrep rg fd fdfind find locate diff diff3 cmp sdiff patch sed awk gawk mawk nawk jq yq xmllint
  cp mv rm mkdir rmdir touch ln chmod chown chgrp truncate mktemp install split csplit shred dd
  tar gzip gunzip zcat bzip2 bunzip2 bzcat xz unxz xzcat zstd unzstd zstdcat lz4 zip unzip 7z ar cpio base32 base64 cksum
  md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum sum
  ps pgrep pidof top free vmstat iostat mpstat uptime w who whoami id groups users last uname hostname arch nproc lscpu
  lsblk lsmem lsmod lspci lsusb lsof df du mount findmnt blkid dmesg sysctl getconf locale tty printenv getent
  ip ss netstat ifconfig route arp ping tracepath traceroute dig host nslookup whois curl wget
  systemctl journalctl loginctl timedatectl hostnamectl git tree which whereis type cloc tokei shellcheck
  pdftotext pdfinfo identify ffprobe exiftool sqlite3 openssl kill pkill killall
`);

/** Programs that run other programs or any code. Without a sandbox they need a setting of the operator. */
export const UNSAFE: ReadonlySet<string> = words(`
  sh bash dash zsh fish ksh mksh ash csh tcsh busybox toybox rbash pwsh nu
  python python2 python3 pypy pypy3 node nodejs deno bun perl ruby php lua luajit tclsh wish guile racket sbcl clisp R
  Rscript julia java jshell groovy scala kotlin ghci runghc erl elixir iex swipl gdb lldb octave expect irb ipython
  env xargs parallel timeout nice ionice chrt taskset nohup setsid stdbuf time watch script scriptreplay unbuffer flock
  start-stop-daemon systemd-run at batch crontab run-parts chroot unshare nsenter bwrap firejail strace ltrace perf
  valgrind entr make gmake cmake ctest ninja meson bazel gradle gradlew mvn ant sbt npm npx pnpm yarn corepack pip pip3
  pipx uv uvx poetry conda mamba cargo rustc go gcc g++ cc c++ clang clang++ ld as tsc tsx ts-node vite vitest jest mocha
  pytest tox nox rake bundle gem composer phpunit dotnet swift zig
  vi vim nvim view ex ed emacs nano pico joe less more most man info pager tig lynx links w3m ftp telnet gnuplot
  ssh scp sftp rsync rsh rlogin mosh nc ncat netcat socat tcpdump nmap autossh ssh-agent ssh-keygen sshpass
  docker podman nerdctl buildah kubectl helm ansible ansible-playbook terraform vagrant qemu-system-x86_64 virsh lxc
  apt apt-get aptitude dpkg snap flatpak dnf yum rpm zypper pacman apk brew nix nix-env nix-shell guix
  useradd usermod userdel passwd chpasswd visudo insmod modprobe rmmod kexec reboot shutdown halt poweroff init telinit
  mkfs fdisk parted losetup cryptsetup iptables nft ufw tee screen tmux dtach abduco facter gawk-system m4 dc bc
  sudo sudoedit su doas pkexec run0 runuser sg newgrp capsh setpriv machinectl
`);

/** One file, many programs: which one it is, is decided by the name it is started with. */
export const MULTI_CALL: ReadonlySet<string> = new Set(["busybox", "toybox", "coreutils", "uutils", "toolbox"]);

/** Their answer is about the machine, and in the sandbox they see the sandbox. */
const MACHINE_TOPICS: ReadonlyMap<string, MachineTopic> = new Map(
  Object.entries<string>({
    processes: "ps top htop pgrep pidof lsof fuser pstree w who users last uptime",
    signals: "kill pkill killall",
    services: "systemctl service rc-service initctl sv loginctl",
    logs: "journalctl dmesg",
    state: "df free mount findmnt lsblk vmstat iostat mpstat ip ifconfig ss netstat route arp docker podman",
  } satisfies Record<MachineTopic, string>).flatMap(([topic, names]) =>
    Array.from(words(names), (name) => [name, topic as MachineTopic] as const),
  ),
);

/** Returns the part of the machine that a program reports on; undefined for any other program. */
export function machineTopic(program: string): MachineTopic | undefined {
  return MACHINE_TOPICS.get(program);
}
