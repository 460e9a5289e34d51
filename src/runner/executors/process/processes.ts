import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { bareEnvironment, markName } from '../environment.ts'
import type { JobUser } from '../job-user.ts'
import { runProgram } from '../program.ts'

/** How the processes of one run are recognized. Each process that matches in one way belongs to the run. */
export interface Trace {
  /** The process group that the run was started in. */
  group?: number
  /** The user that only this run uses. */
  user?: JobUser | undefined
  /** The run's mark in the environment, unless the job removes it. */
  mark?: string
}

const patience = 10_000
const interval = 10

/**
 * Kills all processes that match, and those that they start in the meantime. False if some still
 * exist at the end, which happens when the kernel itself keeps them.
 */
export async function killAll(trace: Trace): Promise<boolean> {
  if (trace.group !== undefined) signal(-trace.group, 'SIGKILL')
  for (let waited = 0; waited < patience; waited += interval) {
    const isThrough = trace.user === undefined || (await killAllOf(trace.user))
    const left = stopAll(trace)
    if (left.size === 0 && isThrough) return true
    for (const pid of left) signal(pid, 'SIGKILL')
    await pause(interval)
  }
  return false
}

/**
 * Kills all processes in one call, so that none can start another while the others are being found.
 * False when the killer itself was killed: it runs as the user whose processes it kills.
 */
async function killAllOf(user: JobUser): Promise<boolean> {
  const { code } = await runProgram('bash', ['-c', 'kill -KILL -1'], { env: bareEnvironment, user })
  return code !== null
}

/**
 * Sends TERM once to each process that matches or descends from the group's leader, except
 * processes whose command line is spared. False if there is none yet. Unlike `killAll`, it leaves
 * later processes alone: a job that tidies up starts processes.
 */
export function terminateAll(
  trace: Trace & { group: number },
  spares: (command: readonly string[]) => boolean,
): boolean {
  const seen = new Map<number, number | undefined>()
  const found = new Set<number>()
  // Once more for processes started in the meantime: reading about all processes takes much longer
  // than listing them.
  for (let sweep = 0; sweep < mostSweeps; sweep++) {
    const fresh = allProcesses().filter((pid) => !seen.has(pid))
    if (fresh.length === 0) break
    for (const pid of fresh) seen.set(pid, statOf(pid)?.parent)
    for (const pid of fresh) {
      if (seen.get(pid) === undefined || pid === process.pid) continue
      const isOfRun = descends(pid, trace.group, seen) || matches(pid, trace)
      if (isOfRun && !spares(commandOf(pid))) found.add(pid)
    }
  }
  // Without /proc only the group can be found, including the launcher's shell, which continues.
  if (seen.size === 0) return signal(-trace.group, 'SIGTERM')
  for (const pid of found) signal(pid, 'SIGTERM')
  return found.size > 0
}

/**
 * In a pid namespace all processes descend from the first one, even those whose parents have ended.
 */
function descends(
  pid: number,
  from: number,
  parents: ReadonlyMap<number, number | undefined>,
): boolean {
  for (let at: number | undefined = pid; at !== undefined; at = parents.get(at)) {
    if (at === from) return true
  }
  return false
}

const mostSweeps = 100

/** Stops all matching processes, so that they can neither start others nor fight back. Returns their ids. */
function stopAll(trace: Trace): Set<number> {
  const stopped = new Set<number>()
  for (let sweep = 0; sweep < mostSweeps; sweep++) {
    const found = matching(trace).filter((pid) => !stopped.has(pid))
    if (found.length === 0) break
    for (const pid of found) {
      signal(pid, 'SIGSTOP')
      stopped.add(pid)
    }
  }
  return stopped
}

/** Ids of the users that some process of this machine runs as. */
export function usersInUse(): Set<number> {
  return new Set(allProcesses().flatMap(usersOf))
}

function matching(trace: Trace): number[] {
  const { group, user, mark } = trace
  // The group usually is empty, and then all processes need not be read.
  const empty = group === undefined || groupIsEmpty(group)
  if (empty && user === undefined && mark === undefined) return []
  const all = allProcesses()
  // Without /proc (macOS) only the group can be found.
  if (all.length === 0) return empty ? [] : [-group]
  return all.filter((pid) => pid !== process.pid && matches(pid, trace))
}

function matches(pid: number, { group, user, mark }: Trace): boolean {
  const found = statOf(pid)
  if (found === undefined) return false
  if (found.group === group) return true
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

/** Parent and process group. Undefined also for a zombie, unless only its first thread has ended. */
function statOf(pid: number): { parent: number; group: number } | undefined {
  const stat = textOf(pid, 'stat')
  // The second field is a name, which may contain spaces and parentheses.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [state, parent, group] = fields
  const threads = Number(fields[17])
  const isOver = (state === 'Z' && threads <= 1) || state === 'X'
  return group === undefined || isOver
    ? undefined
    : { parent: Number(parent), group: Number(group) }
}

/** Real, effective, saved and file system user, which differ for set-uid programs. */
function usersOf(pid: number): number[] {
  // Not the owner of the folder in /proc: for programs like ssh-agent the owner is root.
  const [, uids = ''] = /^Uid:\s+(.*)$/m.exec(textOf(pid, 'status')) ?? []
  return uids.split(/\s+/).filter(Boolean).map(Number)
}

function markOf(pid: number): string | undefined {
  const entries = textOf(pid, 'environ').split('\0')
  return entries.find((entry) => entry.startsWith(`${markName}=`))?.slice(markName.length + 1)
}

function commandOf(pid: number): string[] {
  return textOf(pid, 'cmdline', 'utf8').split('\0').slice(0, -1)
}

function textOf(pid: number, file: string, encoding: BufferEncoding = 'latin1'): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, encoding)
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

/** False when the process ended in the meantime. */
function signal(pid: number, name: 'SIGKILL' | 'SIGSTOP' | 'SIGTERM'): boolean {
  try {
    return process.kill(pid, name)
  } catch {
    return false
  }
}
