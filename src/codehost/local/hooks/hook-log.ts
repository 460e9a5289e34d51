import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import path from 'node:path'
import { asOwner } from './owner-shell.ts'

/** The failure of the last run of a hook. */
export interface HookFailure {
  at: Date
  /** The beginning of its output. */
  text: string
}

const mostBytes = 2000
const logName = 'build-service-hook.log'

// A link could lead to any file that the service can read, and opening a pipe would block.
const safely = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

/** File to which the hooks of a repository write their errors; empty after a run without failure. */
export const hookLog = (directory: string) => path.join(directory, logName)

/** The failure of a hook's last run; undefined if it succeeded, is in progress, or never started. */
export async function hookFailure(directory: string): Promise<HookFailure | undefined> {
  const file = await open(hookLog(directory), safely).catch(() => undefined)
  if (!file) return
  try {
    if (!(await file.stat()).isFile()) return
    const { buffer, bytesRead } = await file.read(Buffer.alloc(mostBytes), 0, mostBytes)
    const text = buffer.subarray(0, bytesRead).toString('utf8').trim()
    return text === '' ? undefined : { at: (await file.stat()).mtime, text }
  } finally {
    await file.close()
  }
}

export async function removeHookLog(directory: string): Promise<void> {
  await asOwner(directory, 'rm -f -- "$1"', { args: [logName] })
}
