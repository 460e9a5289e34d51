import { readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { embeddedIn } from '../embedded-in.ts'
import { inScene } from '../scene.ts'
import type { Trial } from '../trial.ts'

/** The embedded PostgreSQL, with tables and queue in it, is killed ten times. */
export const embeddedKilled: Trial = {
  async run(place) {
    const root = path.join(place.folder('service'), 'postgres')
    const setting = {
      processes: { service: {} },
      jobsOfPush: 1,
      databaseUrl: () => embeddedIn(place, root),
    }
    let kills = 0
    const found = await inScene(place, setting, async ({ pushes }) => {
      await Promise.all([pushes.push(120, 1000), kill()])
    })
    return { ...found, kills }

    async function kill(): Promise<void> {
      for (; kills < 10; kills++) {
        // The service gives a server up that dies four times within a minute.
        await pause(21_000)
        const file = readFileSync(path.join(root, 'data', 'postmaster.pid'), 'utf8')
        process.kill(Number(file.split('\n')[0]), 'SIGKILL')
      }
    }
  },
}
