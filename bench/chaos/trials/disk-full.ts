import { execFileSync } from 'node:child_process'
import { closeSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Workplace } from '../../harness/workplace.ts'
import { embeddedIn } from '../embedded-in.ts'
import { inScene } from '../scene.ts'
import type { Trial } from '../trial.ts'

const megabytes = 600
const fullSeconds = 60

/** The disk of everything, embedded server and jobs alike, has not a byte left for a minute. */
export const diskFull: Trial = {
  missing: async () => (process.getuid?.() === 0 ? undefined : 'only root can mount a small disk'),
  async run(place) {
    const folder = place.folder('service')
    mount(place, folder)
    const setting = {
      processes: { service: {} },
      jobsOfPush: 1,
      databaseUrl: () => embeddedIn(place, path.join(folder, 'postgres')),
    }
    const found = await inScene(place, setting, async ({ pushes }) => {
      await Promise.all([pushes.push(60, 1000), fill()])
    })
    return { ...found, full_seconds: fullSeconds }

    async function fill(): Promise<void> {
      await pause(5000)
      const until = performance.now() + fullSeconds * 1000
      const file = path.join(folder, 'filler')
      // What is freed meanwhile is filled again.
      for (; performance.now() < until; await pause(500)) append(file)
      rmSync(file)
    }
  },
}

/** A disk of its own, in memory. */
function mount(place: Workplace, folder: string): void {
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'tmpfs', folder])
  place.keep({ close: () => execFileSync('umount', ['--lazy', folder]) })
}

/** Writes until nothing more can be written. */
function append(file: string): void {
  const target = openSync(file, 'a')
  try {
    for (const size of [1 << 20, 1 << 12, 1]) writeWhole(target, Buffer.alloc(size))
    fsyncSync(target)
  } finally {
    closeSync(target)
  }
}

function writeWhole(target: number, block: Buffer): void {
  try {
    for (;;) writeSync(target, block)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  }
}
