import { randomUUID } from 'node:crypto'
import type { Executor, Exit } from '../../runner/executor.ts'

const seconds = 60

/** Runs a program as a job would run, and returns what it printed. Throws the same errors as `start`. */
export async function runProbe(
  executor: Executor,
  script: string,
  { network }: { network: boolean },
): Promise<{ text: string; exit: Exit }> {
  const running = await executor.start(
    {
      job_id: 0,
      run_id: `survey-${randomUUID()}`,
      steps: [{ name: 'job', script }],
      inputs: [],
      limits: {},
      network,
      deadline_seconds: seconds,
    },
    AbortSignal.timeout(seconds * 1000),
  )
  const timer = setTimeout(() => void running.kill(), seconds * 1000)
  try {
    const chunks: Uint8Array[] = []
    for await (const chunk of running.output) chunks.push(chunk)
    return { text: Buffer.concat(chunks).toString(), exit: await running.wait() }
  } finally {
    clearTimeout(timer)
    await running.dispose()
  }
}
