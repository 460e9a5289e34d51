import type { ChildProcess } from 'node:child_process'
import { chmodSync, existsSync, readdirSync, readlinkSync } from 'node:fs'
import { expect, vi } from 'vitest'
import { scratchFolder } from '../support/command.ts'

/** Waits until the command has written this text, and returns all of its output. */
export function seen({ stdout, stderr }: ChildProcess, words: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    for (const stream of [stdout, stderr]) {
      stream?.on('data', (chunk) => {
        text += String(chunk)
        if (text.includes(words)) resolve(text)
      })
      stream?.on('end', () => reject(new Error(`it ended without "${words}": ${text}`)))
    }
  })
}

/** A folder for temporary folders, which the users of jobs can pass through. */
export function openFolder(): string {
  const folder = scratchFolder()
  chmodSync(folder, 0o711)
  return folder
}

/**
 * The folders that the command created for itself, and the processes that work below this folder.
 */
export function leftIn(folder: string): string[] {
  const folders = readdirSync(folder).filter((name) => name.startsWith('build-service-'))
  const processes = existsSync('/proc/self') ? readdirSync('/proc') : []
  const working = processes.filter((pid) => {
    try {
      return readlinkSync(`/proc/${pid}/cwd`).startsWith(folder)
    } catch {
      return false
    }
  })
  return [...folders, ...working]
}

export async function expectNothingLeft(folder: string): Promise<void> {
  await vi.waitFor(() => expect(leftIn(folder)).toEqual([]), { timeout: 10_000 })
}
