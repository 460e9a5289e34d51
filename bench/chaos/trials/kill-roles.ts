import { setTimeout as pause } from 'node:timers/promises'
import { openDatabases } from '../../harness/databases.ts'
import { inScene } from '../scene.ts'
import type { Trial } from '../trial.ts'

const minutes = 4

/** Web, worker and runner as processes; one of them is killed every 2 to 6 seconds. */
export const killRoles: Trial = {
  async run(place) {
    const databases = place.keep(await openDatabases(place, process.env))
    const DATABASE_URL = await databases.create('chaos')
    const roles = ['web', 'worker', 'runner'] as const
    const setting = {
      processes: Object.fromEntries(roles.map((ROLE) => [ROLE, { ROLE, DATABASE_URL }])),
      jobsOfPush: 4,
      databaseUrl: async () => DATABASE_URL,
    }
    let kills = 0
    const found = await inScene(place, setting, async ({ pushes, processes, random }) => {
      await Promise.all([pushes.push(50, 3000), kill()])

      async function kill(): Promise<void> {
        const until = performance.now() + minutes * 60_000
        for (; performance.now() < until; kills++) {
          await pause(2000 + 4000 * random.next())
          processes[random.whole(processes.length)]?.kill()
        }
      }
    })
    return { ...found, kills }
  },
}
