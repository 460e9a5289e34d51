// The same as `api-read-one` for a repository over V3, with its owner, its default branch and what
// its viewer can do.
import { benchmarkRead } from './harness/reads.ts'

await benchmarkRead('api-read-repository', {
  path: (random, { repositories }) => `/repo/${1 + random.whole(repositories)}`,
  headers: { 'service-api-version': '3' },
})
