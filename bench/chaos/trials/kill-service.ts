import { setTimeout as pause } from 'node:timers/promises'
import { openDatabases } from '../../harness/databases.ts'
import { inScene } from '../scene.ts'
import type { Trial } from '../trial.ts'

/** A service that does everything in one process, killed 60 times while it is pushed to. */
export const killService: Trial = {
  async run(place) {
    const databases = place.keep(await openDatabases(place, process.env))
    const DATABASE_URL = await databases.create('chaos')
    const setting = {
      processes: { service: { DATABASE_URL } },
      jobsOfPush: 1,
      databaseUrl: async () => DATABASE_URL,
    }
    let kills = 0
    const found = await inScene(place, setting, async ({ pushes, processes, random }) => {
      await Promise.all([pushes.push(300, 300), kill()])

      async function kill(): Promise<void> {
        for (; kills < 60; kills++) {
          await pause(1500 + 3500 * random.next())
          for (const each of processes) each.kill()
        }
      }
    })
    return { ...found, kills }
  },
}
