import { mkdirSync, mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** A temporary folder, and everything that is to be closed before it goes. */
export interface Workplace {
  file(name: string): string
  folder(name: string): string
  /** Registers something to be closed, and returns it. */
  keep<T extends { close(): unknown }>(what: T): T
}

/** Provides a workplace, closes what was opened there, last first, and removes it. */
export async function inWorkplace<T>(work: (place: Workplace) => Promise<T>): Promise<T> {
  const root = mkdtempSync(path.join(tmpdir(), 'build-service-bench-'))
  const kept: { close(): unknown }[] = []
  async function leave(): Promise<void> {
    for (let last = kept.pop(); last; last = kept.pop()) await last.close()
    // What was killed may still be writing: only this one looks again for files that have come.
    await rm(root, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 })
  }
  const interrupted = () => void leave().finally(() => process.exit(130))
  process.once('SIGINT', interrupted).once('SIGTERM', interrupted)

  try {
    return await work({
      file: (name) => path.join(root, name),
      folder(name) {
        mkdirSync(path.join(root, name), { recursive: true })
        return path.join(root, name)
      },
      keep(what) {
        kept.push(what)
        return what
      },
    })
  } finally {
    process.off('SIGINT', interrupted).off('SIGTERM', interrupted)
    await leave()
  }
}
