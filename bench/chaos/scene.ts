import { randomFrom } from '../harness/random.ts'
import { freePort } from '../harness/redis.ts'
import type { Workplace } from '../harness/workplace.ts'
import { type KeptUp, keepUp } from './kept-up.ts'
import { openPushes, type Pushes } from './pushes.ts'
import { judge, settle, type Verdict } from './verdict.ts'

/** What a trial disturbs. */
export interface Scene {
  pushes: Pushes
  processes: readonly KeptUp[]
  random: ReturnType<typeof randomFrom>
}

interface Setting {
  /** One process for each name, with what it is told besides the rest. */
  processes: Readonly<Record<string, Readonly<Record<string, string>>>>
  jobsOfPush: number
  /** Where the tables are, once the service runs. */
  databaseUrl(): Promise<string>
}

export type Found = Verdict & { seconds: number }

/** Runs a service, lets the trial push to it and disturb it, and judges what became of the pushes. */
export async function inScene(
  place: Workplace,
  { processes, jobsOfPush, databaseUrl }: Setting,
  disturb: (scene: Scene) => Promise<void>,
): Promise<Found> {
  const port = await freePort()
  const webUrl = `http://127.0.0.1:${port}`
  const pushes = await openPushes(place, webUrl, jobsOfPush)
  const shared = {
    ...pushes.settings,
    PORT: String(port),
    MASTER_KEY: '07'.repeat(32),
    JOBS_WITHOUT_ISOLATION: 'true',
    OWNER_JOBS: '-1',
    RUNNER_SLOTS: '4',
  }
  const kept = Object.entries(processes).map(([name, own]) =>
    keepUp(place, name, { ...shared, ...own }),
  )
  await responds(webUrl)
  const started = performance.now()
  await disturb({ pushes, processes: kept, random: randomFrom(9) })
  const url = await databaseUrl()
  await settle(pushes, url)
  const seconds = Math.round((performance.now() - started) / 1000)
  const verdict = await judge(pushes, url, webUrl)
  const surprises = kept.flatMap((each) => each.surprises)
  return { ...verdict, problems: [...verdict.problems, ...surprises], seconds }
}

async function responds(url: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      if ((await fetch(`${url}/ready`)).ok) return
    } catch (error) {
      if (tries === 300) throw error
    }
    if (tries === 300) throw new Error(`${url}/ready was never 200`)
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}
