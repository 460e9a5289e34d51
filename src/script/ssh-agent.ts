import { bash, quote } from './shell/bash.ts'
import type { ScriptInput } from './input.ts'

/**
 * Program text that has ssh ask no one, and gives the key in descriptor 4, if there is one, to an agent,
 * which git and the job's own lines find. Which ssh git runs is set for the clone and with a key; the
 * own lines of a job without one choose it themselves.
 * No shell reads the key, so that it is in no file, no argument, no variable and no memory but the
 * agent's, which lets no one look. The agent ends with the program: whoever includes this ends
 * `$__service_agent`.
 */
export function sshAgent(key: ScriptInput['ssh_key'], program: 'clone' | 'job'): string {
  if (!key) return [pinned, program === 'clone' ? quietSsh : noOne].join('\n')
  const source = 'from the repository settings'
  const fingerprint = key.fingerprint === null ? '' : `, fingerprint ${key.fingerprint}`
  return [
    ...[pinned, quietSsh, start],
    ...[
      'service_fold start ssh_key',
      `builtin printf 'SSH key %s\\n' ${quote(source + fingerprint)}`,
    ],
    ...['__service_start_agent', 'exec 4<&-', 'unset -f __service_start_agent'],
    'service_fold end ssh_key',
  ].join('\n')
}

/** The host key that GitHub publishes; those of other hosts are kept when they are first seen. */
const knownHosts =
  'github.com ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl'

const ssh = [
  ...['ssh -o BatchMode=yes -o ConnectTimeout=20 -o StrictHostKeyChecking=accept-new'],
  // Without isolation this home is not the one that ssh would look for.
  '-o UserKnownHostsFile="$HOME/.ssh/known_hosts"',
].join(' ')

/** Has ssh know GitHub, whoever adds a key later. */
const pinned = bash`
if command -p mkdir -p -m 700 "$HOME/.ssh" && [[ ! -e $HOME/.ssh/known_hosts ]]; then
  builtin printf '%s\n' ${quote(knownHosts)} >"$HOME/.ssh/known_hosts"
fi
`

const quietSsh = `export GIT_SSH_COMMAND=${quote(ssh)}`

/**
 * Has any ssh get no answers. A job has a terminal, at which it would wait for one for as long as a job can
 * be silent.
 */
const noOne = 'export SSH_ASKPASS=$(builtin type -P false) SSH_ASKPASS_REQUIRE=force'

const start = bash`
__service_start_agent() {
  local LC_ALL=C socket=$HOME/.ssh/agent.$$ try
  if ! { builtin type -P ssh-agent && builtin type -P ssh-add; } >/dev/null; then
    __service_say yellow 'This machine has no ssh-agent, so the key cannot be used.'
    return
  fi
  # The path of a socket has 107 bytes at most. In a shorter folder, such as /tmp, others would find it.
  if (($\{#socket} > 100)); then
    if [[ ! -d /proc/$$/fd ]] || ! exec {__service_ssh}<"$HOME/.ssh"; then
      __service_say yellow "The key cannot be used: the path of the agent's socket would be too long."
      __service_say yellow 'Whoever runs the service can choose a shorter DATA_DIR.'
      return
    fi
    socket=/proc/$$/fd/$__service_ssh/agent.$$
  fi
  ssh-agent -D -a "$socket" </dev/null >/dev/null 2>&1 4<&- &
  __service_agent=$!
  # A line of the user that waits for all it has started must not wait for this one.
  builtin disown "$__service_agent"
  for ((try = 0; try < 100; try++)); do
    if [[ -S $socket ]]; then break; fi
    command -p sleep 0.05
  done
  export SSH_AUTH_SOCK=$socket
  ssh-add -q - <&4 || __service_say yellow 'The key could not be given to the ssh-agent.'
}
`
