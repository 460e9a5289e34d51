// The same as `api-read-one` for the log of a job as text, of 64 KB in 32 parts. The anchor has
// PostgreSQL join the parts.
import { benchmarkRead } from './harness/reads.ts'

await benchmarkRead('api-read-log', {
  path: (random, { logs }) => `/jobs/${1 + random.whole(logs)}/log`,
  headers: { accept: 'text/plain' },
})
