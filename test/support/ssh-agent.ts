import { spawnSync } from 'node:child_process'
import type { Need } from './needs.ts'

/** OpenSSH's agent, and the program that gives it keys. */
export const sshAgent: Need = {
  tests: 'of keys in an `ssh-agent`',
  missing: isThere('ssh-agent') && isThere('ssh-add') ? undefined : '`ssh-agent` is not installed',
}

function isThere(program: string): boolean {
  return spawnSync('bash', ['-c', `type -P ${program}`]).status === 0
}
