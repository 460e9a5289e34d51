import { bareEnvironment } from '../environment.ts'
import { runProgram } from '../program.ts'

interface DiskWatch {
  /** Bytes on the disk that the folder may take. */
  limit: number
  /** Milliseconds between two measurements; a folder that takes long to measure is measured less often. */
  every: number
  /** Called once, when the folder takes more. */
  exceeded(): void
}

/** At most one part in this many of the time is spent measuring. */
const share = 20

/**
 * Measures a folder until it takes more than its limit, or until the function that this returns is called. A job can
 * exceed the limit between two measurements.
 */
export function watchDisk(folder: string, { limit, every, exceeded }: DiskWatch): () => void {
  let timer: NodeJS.Timeout | undefined
  let isOver = false

  async function measure(): Promise<void> {
    const begun = performance.now()
    const bytes = await bytesIn(folder)
    if (isOver) return
    if (bytes > limit) return exceeded()
    wait(Math.max(every, (performance.now() - begun) * share))
  }

  function wait(milliseconds: number): void {
    timer = setTimeout(() => void measure(), milliseconds)
    timer.unref()
  }

  wait(every)
  return () => {
    isOver = true
    clearTimeout(timer)
  }
}

/** The measurable size: files that vanish, or whose folders cannot be read, do not count. */
async function bytesIn(folder: string): Promise<number> {
  const command = 'du -s --block-size=1 -- "$1" 2>/dev/null'
  const { text } = await runProgram('bash', ['-c', command, 'bash', folder], {
    env: bareEnvironment,
  })
  return Number.parseInt(text, 10) || 0
}
