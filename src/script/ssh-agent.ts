import type { ScriptInput } from './input.ts'
import { bash, quote } from './shell/bash.ts'

/**
 * Program text that keeps ssh from asking questions, and gives the key in descriptor 4, if there is one,
 * to an agent, which git and the job's own lines find. The ssh that git runs is set for the clone, and
 * for a job with a key; the lines of a job without a key choose it themselves.
 * No shell reads the key, so that it is in no file, argument or variable, and in no memory except the
 * agent's, which no one can read. The agent ends with the program: programs with this text must end
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

/** The host key that GitHub publishes; keys of other hosts are stored when they are first seen. */
const knownHosts =
  'github.com ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl'

const ssh = [
  ...['ssh -o BatchMode=yes -o ConnectTimeout=20 -o StrictHostKeyChecking=accept-new'],
  // Without isolation, ssh would look for this file in another home.
  '-o UserKnownHostsFile="$HOME/.ssh/known_hosts"',
].join(' ')

/** Makes GitHub's host key known to ssh, no matter who adds a key later. */
const pinned = bash`
if command -p mkdir -p -m 700 "$HOME/.ssh" && [[ ! -e $HOME/.ssh/known_hosts ]]; then
  builtin printf '%s\n' ${quote(knownHosts)} >"$HOME/.ssh/known_hosts"
fi
`

const quietSsh = `export GIT_SSH_COMMAND=${quote(ssh)}`

/**
 * Makes any ssh get no answers. A job has a terminal, at which ssh would wait for an answer for as long
 * as a job can be silent.
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
      __service_say yellow 'Anyone who runs the service can choose a shorter DATA_DIR.'
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
