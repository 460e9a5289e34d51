import type { Executor, JobSpec, Running } from '../../src/runner/executor.ts'

let runs = 0

/** Runs steps as a separate job, and returns their output. */
export async function outputOf(executor: Executor, steps: JobSpec['steps']): Promise<string> {
  runs += 1
  const spec: JobSpec = {
    job_id: runs,
    run_id: `${runs}-1`,
    steps,
    inputs: [],
    limits: {},
    network: true,
    deadline_seconds: 60,
  }
  const running: Running = await executor.start(spec, new AbortController().signal)
  let text = ''
  for await (const chunk of running.output) text += Buffer.from(chunk).toString()
  await running.dispose()
  return text.replaceAll('\r\n', '\n')
}
