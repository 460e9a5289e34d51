// A separate runner, to be stopped: runs one job with a short limit of silence, and prints its
// state.
import { createProcessExecutor } from '../../src/runner/executors/process/executor.ts'
import { runJob } from '../../src/runner/run-job.ts'

const [workDir = ''] = process.argv.slice(2)

async function main(): Promise<void> {
  const executor = createProcessExecutor({ workDir, runnerId: 'stopped' })
  const outcome = await runJob(
    executor,
    {
      spec: {
        job_id: 1,
        run_id: '1-1',
        steps: [{ name: 'job', script: 'echo ready; sleep 9; echo over' }],
        inputs: [],
        limits: {},
        network: true,
        deadline_seconds: 60,
      },
      secrets: [],
      limits: { hard_seconds: 7, silence_seconds: 4, log_bytes: 10_000 },
      worker_info: {},
      started: async () => true,
      sink: async (parts) => {
        if (parts.some(({ content }) => content.includes('ready'))) console.log('running')
      },
    },
    new AbortController().signal,
  )
  console.log('state' in outcome ? outcome.state : outcome.again)
  await executor.close()
}

void main()
