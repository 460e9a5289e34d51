import { isMap } from '../../domain/config/config-value.ts'
import type { JobConfig } from '../../domain/job/job.ts'
import { firstText } from '../first-text.ts'
import { shownText } from '../images/requested-version.ts'
import { quote } from '../shell/bash.ts'
import { say } from '../steps.ts'
import { aptProgram, aptRequest, chromeRequest, joined, textsIn } from './apt.ts'

/** Program text of the add-ons that act within the container of a job, and of the service `xvfb`. */
export function addonsProgram({ addons, services }: JobConfig): string {
  const given = isMap(addons) ? addons : {}
  const chrome = firstText(given['chrome'])
  const hasDisplay = [services].flat().includes('xvfb')
  const request = joined([
    ...(hasDisplay ? [{ sources: [], packages: ['xvfb'], notes: [] }] : []),
    aptRequest(given['apt']),
    aptRequest(given['apt_packages']),
    ...(chrome === undefined ? [] : [chromeRequest(chrome)]),
  ])
  return [
    aptProgram(request),
    knownHosts(textsIn(given['ssh_known_hosts'])),
    hasDisplay ? display : '',
  ]
    .filter((text) => text !== '')
    .join('\n')
}

const isName = (text: string) => /^[a-z\d](?:[\w.-]{0,251}[a-z\d])?$/i.test(text)

/** Names that a job's own machine has. */
export function hostsOf({ addons }: JobConfig): { hosts: string[]; hostname?: string } {
  const given = isMap(addons) ? addons : {}
  const hosts = textsIn(given['hosts']).filter(isName)
  const [hostname] = textsIn(given['hostname']).filter((text) => isName(text) && text.length < 64)
  return hostname === undefined ? { hosts } : { hosts: [...hosts, hostname], hostname }
}

const hostPattern = /^([\w.-]+|\[[\da-f:]+\]|\$\w+|\$\{\w+\})(?::(\d{1,5}))?$/i

/** As root, ssh reads the file of the system: it does not look at HOME. */
function knownHosts(hosts: readonly string[]): string {
  if (hosts.length === 0) return ''
  const scans = hosts.map((host) => {
    const [, name = '', port = '22'] = hostPattern.exec(host) ?? []
    if (name === '' || name.startsWith('-')) {
      return say(
        'yellow',
        `"${shownText(host)}" in addons.ssh_known_hosts is not the name of a host.`,
      )
    }
    // A variable of the job is meant to be read, as the name of a host that others need not know.
    const word = name.startsWith('$') ? `"${name}"` : quote(name)
    return `__service_known_host ${word} ${port}`
  })
  return [
    `__service_known_host() { # host, port
  local keys file
  keys=$(command ssh-keyscan -T 20 -p "$2" -- "$1" 2>/dev/null)
  if [[ ! $keys ]]; then
    __service_say yellow "The keys of $1 in addons.ssh_known_hosts could not be read."
    return
  fi
  builtin printf 'Known host: %s\\n' "$1"
  for file in "$HOME/.ssh/known_hosts" /etc/ssh/ssh_known_hosts; do
    { builtin printf '%s\\n' "$keys" >>"$file"; } 2>/dev/null
  done
}
command -p mkdir -p -m 700 "$HOME/.ssh"
if ((EUID == 0)); then command -p mkdir -p /etc/ssh; fi`,
    'if builtin type -P ssh-keyscan >/dev/null; then',
    ...scans,
    'else',
    say('yellow', 'The image has no ssh-keyscan, so addons.ssh_known_hosts has no effect.'),
    'fi',
    'unset -f __service_known_host',
  ].join('\n')
}

/** The display that the hosted machines had. */
const display = `Xvfb :99 -screen 0 1280x1024x24 -nolisten tcp >/dev/null 2>&1 &
export DISPLAY=:99.0
for ((__service_try = 0; __service_try < 100; __service_try++)); do
  if [[ -S /tmp/.X11-unix/X99 ]]; then break; fi
  command -p sleep 0.1
done
if [[ ! -S /tmp/.X11-unix/X99 ]]; then __service_lacks 'The display of the service "xvfb" did not start.'; fi
unset __service_try`
