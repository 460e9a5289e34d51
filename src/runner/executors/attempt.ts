import { randomUUID } from 'node:crypto'
import type { Exit, JobSpec, Running } from '../executor.ts'

const seconds = 10
const prefix = 'probe-'

/** Whether a run belongs to the probe and not to a job. */
export function isAttempt(run_id: string): boolean {
  return run_id.startsWith(prefix)
}

/** Runs a small program exactly the way a job would be run. Returns the problem found, if any. */
export async function tryOut(
  { terminal }: { terminal: boolean },
  start: (spec: JobSpec, signal: AbortSignal) => Promise<Running>,
): Promise<string | undefined> {
  const script = terminal ? 'test -t 1 && exit 7' : 'exit 7'
  const spec: JobSpec = {
    job_id: 0,
    run_id: `${prefix}${randomUUID()}`,
    steps: [{ name: 'job', script }],
    inputs: [],
    limits: {},
    network: true,
    deadline_seconds: seconds,
  }
  try {
    const running = await start(spec, AbortSignal.timeout(seconds * 1000))
    const exit = await exitOf(running)
    await running.dispose()
    if (exit.kind === 'exited' && exit.code === 7) return undefined
    return `a test program failed: ${JSON.stringify(exit)}`
  } catch (error) {
    return (error as Error).message
  }
}

async function exitOf(running: Running): Promise<Exit> {
  const timer = setTimeout(() => void running.kill(), seconds * 1000)
  for await (const _ of running.output) continue
  const exit = await running.wait()
  clearTimeout(timer)
  return exit
}
