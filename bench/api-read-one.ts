// How many builds a second are read over V2.1, with their jobs and their commit, by a user with a
// token: 16 connections, another build each time. Pages and clients that watch builds do little else.
//
// The anchor passes through what one prepared statement returns, to anyone. The candidate is the
// real service with all that it does.
import { benchmarkRead } from './harness/reads.ts'

await benchmarkRead('api-read-one', {
  path: (random, { builds }) => `/builds/${1 + random.whole(builds)}`,
  headers: { accept: 'application/vnd.service.2.1+json' },
})
