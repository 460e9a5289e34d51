import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { markName } from './environment.ts'

/** How the processes of one run are told from all others of this machine. */
export interface Trace {
  /** The process group that the run was started in. */
  group?: number
  /** The user that nothing but this run uses. */
  uid?: number
  /** What the run carries in its environment. */
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
  for (let waited = 0; waited < patience; waited += interval) {
    const left = matching(trace)
    if (left.length === 0) return true
    for (const pid of left) kill(pid)
    await pause(interval)
  }
  return false
}

/** Ids of the users that some process of this machine runs as. */
export function usersInUse(): Set<number> {
  return new Set(allProcesses().flatMap((pid) => userOf(pid) ?? []))
}

function matching(trace: Trace): number[] {
  const { group, uid, mark } = trace
  // Mostly it is, and then there is no need to look at all processes.
  const empty = group === undefined || groupIsEmpty(group)
  if (empty && uid === undefined && mark === undefined) return []
  const all = allProcesses()
  // Without /proc (macOS) the group is all that can be asked for.
  if (all.length === 0) return empty ? [] : [-group]
  return all.filter((pid) => pid !== process.pid && matches(pid, trace))
}

function matches(pid: number, { group, uid, mark }: Trace): boolean {
  const found = groupOf(pid)
  if (found === undefined) return false
  if (found === group) return true
  if (uid === undefined) return mark !== undefined && markOf(pid) === mark
  if (userOf(pid) !== uid) return false
  // Another runner may have taken the same user in the same moment.
  const theirs = markOf(pid)
  return theirs === undefined || theirs === mark
}

// All of the following reads /proc, which needs no disk: threads would only make it slower.

function allProcesses(): number[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
  } catch {
    return []
  }
}

/** Undefined also for a process that has ended and only waits to be noticed. */
function groupOf(pid: number): number | undefined {
  const stat = textOf(pid, 'stat')
  // The second field is a name, which may hold blanks and parentheses.
  const [state, , group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return group === undefined || state === 'Z' || state === 'X' ? undefined : Number(group)
}

function userOf(pid: number): number | undefined {
  // Not the folder's owner: that is root for programs like ssh-agent.
  const uid = /^Uid:\s+(\d+)/m.exec(textOf(pid, 'status'))?.[1]
  return uid === undefined ? undefined : Number(uid)
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
