// How many lists of requests a second are read over V2.1 by a user with a token: the newest 100 of one
// repository, with their commits and what was built. Its page and `requests` of the client read them.
//
// The anchor sends one query, makes an object of each row, and writes them as JSON.
import { benchmarkRead } from './harness/reads.ts'

await benchmarkRead('api-read-requests', {
  path: () => '/requests?repository_id=1&limit=100',
  headers: { accept: 'application/vnd.service.2.1+json' },
})
