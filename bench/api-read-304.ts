// How much faster a build is read over V2.1 by a client that has it already, as its ETag says, than by
// one that has not. Clients that watch builds ask for the same ones again and again.
//
// There is no other program: the anchor is the real service, asked for the same in full.
import { benchmarkUnchanged } from './harness/reads.ts'

await benchmarkUnchanged('api-read-304', {
  path: (random, { builds }) => `/builds/${1 + random.whole(builds)}`,
  headers: { accept: 'application/vnd.service.2.1+json' },
})
