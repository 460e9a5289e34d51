import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { bareEnvironment, markName } from './environment.ts'
import type { JobUser } from './job-user.ts'
import { runProgram } from './program.ts'

/** How the processes of one run are recognized. Each that matches in one way belongs to it. */
export interface Trace {
  /** The process group that the run was started in. */
  group?: number
  /** The user that only this run uses. */
  user?: JobUser | undefined
  /** What the run has in its environment, unless the job takes it away. */
  mark?: string
}

const patience = 10_000
const interval = 10

/**
 * Kills all processes that match, and those they start meanwhile. False when some are still there
 * in the end, which happens when the kernel itself keeps them.
 */
export async function killAll(trace: Trace): Promise<boolean> {
  if (trace.group !== undefined) kill(-trace.group)
  if (trace.user) await killAllOf(trace.user)
  for (let waited = 0; waited < patience; waited += interval) {
    const left = matching(trace)
    if (left.length === 0) return true
    for (const pid of left) kill(pid)
    await pause(interval)
  }
  return false
}

/** At once, so that none can get away by starting the next one while others are looked for. */
async function killAllOf(user: JobUser): Promise<void> {
  await runProgram('bash', ['-c', 'kill -KILL -1'], { env: bareEnvironment, user })
}

/** Ids of the users that some process of this machine runs as. */
export function usersInUse(): Set<number> {
  return new Set(allProcesses().flatMap(usersOf))
}

function matching(trace: Trace): number[] {
  const { group, user, mark } = trace
  // Mostly it is, and then there is no need to look at all processes.
  const empty = group === undefined || groupIsEmpty(group)
  if (empty && user === undefined && mark === undefined) return []
  const all = allProcesses()
  // Without /proc (macOS) only the group can be found.
  if (all.length === 0) return empty ? [] : [-group]
  return all.filter((pid) => pid !== process.pid && matches(pid, trace))
}

function matches(pid: number, { group, user, mark }: Trace): boolean {
  const found = groupOf(pid)
  if (found === undefined) return false
  if (found === group) return true
  if (user && usersOf(pid).includes(user.uid)) return true
  return mark !== undefined && markOf(pid) === mark
}

// All of the following reads /proc, which needs no disk: threads would only be slower.

function allProcesses(): number[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
  } catch {
    return []
  }
}

/** Undefined also for a zombie. */
function groupOf(pid: number): number | undefined {
  const stat = textOf(pid, 'stat')
  // The second field is a name, which may hold blanks and parentheses.
  const [state, , group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return group === undefined || state === 'Z' || state === 'X' ? undefined : Number(group)
}

/** Real, effective, saved and file system user, which differ for set-uid programs. */
function usersOf(pid: number): number[] {
  // Not the folder's owner: that is root for programs like ssh-agent.
  const [, uids = ''] = /^Uid:\s+(.*)$/m.exec(textOf(pid, 'status')) ?? []
  return uids.split(/\s+/).filter(Boolean).map(Number)
}

function markOf(pid: number): string | undefined {
  const entries = textOf(pid, 'environ').split('\0')
  return entries.find((entry) => entry.startsWith(`${markName}=`))?.slice(markName.length + 1)
}

function textOf(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1')
  } catch {
    return ''
  }
}

function groupIsEmpty(group: number): boolean {
  try {
    return !process.kill(-group, 0)
  } catch {
    return true
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It ended by itself in between.
  }
}
