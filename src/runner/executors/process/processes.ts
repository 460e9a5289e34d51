import { readdir, readFile } from 'node:fs/promises'
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

interface Process {
  pid: number
  group: number
}

const patience = 10_000
const interval = 10

/**
 * Kills all processes that match, and those they start meanwhile. False when some are still there
 * in the end, which happens when the kernel itself keeps them.
 */
export async function killAll(trace: Trace): Promise<boolean> {
  if (trace.group !== undefined) signalGroup(trace.group)
  for (let waited = 0; waited < patience; waited += interval) {
    const left = await matching(trace)
    if (left.length === 0) return true
    for (const pid of left) signal(pid)
    await pause(interval)
  }
  return false
}

/** Ids of the users that some process of this machine runs as. */
export async function usersInUse(): Promise<Set<number>> {
  const users = await Promise.all((await allProcesses()).map(({ pid }) => userOf(pid)))
  return new Set(users.filter((uid) => uid !== undefined))
}

async function matching(trace: Trace): Promise<number[]> {
  const all = await allProcesses()
  // Without /proc (macOS) the group is all that can be asked for.
  if (all.length === 0) return groupIsEmpty(trace) ? [] : [-(trace.group ?? 0)]
  const found = await Promise.all(all.map(async (one) => ((await isOf(one, trace)) ? one.pid : 0)))
  return found.filter((pid) => pid > 0 && pid !== process.pid)
}

async function isOf({ pid, group }: Process, trace: Trace): Promise<boolean> {
  if (group === trace.group) return true
  if (trace.uid === undefined && trace.mark === undefined) return false
  const mark = await markOf(pid)
  if (mark !== undefined) return mark === trace.mark
  return trace.uid !== undefined && (await userOf(pid)) === trace.uid
}

/** All processes but those that have ended and only wait to be noticed. */
async function allProcesses(): Promise<Process[]> {
  const names = await readdir('/proc').catch(() => [])
  const pids = names.filter((name) => /^\d+$/.test(name))
  const found = await Promise.all(pids.map(readProcess))
  return found.filter((one) => one !== undefined)
}

async function readProcess(pid: string): Promise<Process | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  // The second field is a name, which may hold blanks and parentheses.
  const [state, , group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  if (group === undefined || state === 'Z' || state === 'X') return undefined
  return { pid: Number(pid), group: Number(group) }
}

async function userOf(pid: number): Promise<number | undefined> {
  // Not the folder's owner: that is root for programs like ssh-agent.
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  const uid = /^Uid:\s+(\d+)/m.exec(status)?.[1]
  return uid === undefined ? undefined : Number(uid)
}

async function markOf(pid: number): Promise<string | undefined> {
  const environment = await readFile(`/proc/${pid}/environ`, 'latin1').catch(() => '')
  const line = environment.split('\0').find((entry) => entry.startsWith(`${markName}=`))
  return line?.slice(markName.length + 1)
}

function groupIsEmpty({ group }: Trace): boolean {
  if (group === undefined) return true
  try {
    return !process.kill(-group, 0)
  } catch {
    return true
  }
}

function signalGroup(group: number): void {
  signal(-group)
}

function signal(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It ended by itself in between.
  }
}
