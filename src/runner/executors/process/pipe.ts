import { closeSync, constants, openSync } from 'node:fs'
import { chown, rm } from 'node:fs/promises'
import { Socket } from 'node:net'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { bareEnvironment } from './environment.ts'
import { runProgram } from './program.ts'
import type { Workspace } from './workspace.ts'

export interface Pipe {
  readable: Readable
  /** To be given to a child, after which `letGo` closes it here. */
  writable: number
  letGo(): void
}

/**
 * A real pipe. What Node gives a child instead is a socket, and `echo … > /dev/stderr`, found in
 * many scripts, fails on a socket.
 */
export async function openPipe({ folder, user }: Workspace): Promise<Pipe> {
  const file = path.join(folder, 'output')
  const made = await runProgram('mkfifo', ['-m', '600', file], { env: bareEnvironment })
  if (made.code !== 0) throw new Error(`mkfifo: ${made.text}`)
  if (user) await chown(file, user.uid, user.gid)
  // Neither waits: the reader is told not to, and the writer finds a reader.
  const reader = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK)
  const writable = openSync(file, constants.O_WRONLY)
  await rm(file)
  return {
    readable: new Socket({ fd: reader, readable: true, writable: false }),
    writable,
    letGo: () => closeSync(writable),
  }
}
