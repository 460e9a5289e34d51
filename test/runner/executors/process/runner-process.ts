// A separate runner, to be killed: starts a job that never ends, and prints a line when the job
// runs.
import { createProcessExecutor } from '../../../../src/runner/executors/process/executor.ts'
import type { Level } from '../../../../src/runner/executors/process/level.ts'

const [workDir = '', runnerId = '', level = 'none', script = ''] = process.argv.slice(2)

async function main(): Promise<void> {
  const levels = [level as Level]
  const executor = createProcessExecutor({ workDir, runnerId, levels })
  const running = await executor.start(
    {
      job_id: 1,
      run_id: '1-1',
      steps: [{ name: 'job', script }],
      inputs: [],
      limits: {},
      network: true,
      deadline_seconds: 600,
    },
    new AbortController().signal,
  )
  for await (const bytes of running.output) process.stdout.write(bytes)
}

void main()
