// How many pages of repositories a second are read over V3 by a user with a token: the first 100 of
// 10,000, those whose default branch was built last before others, with their exact number. Dashboards
// do little else.
//
// The anchor sends one query, makes an object of each row, and writes them as JSON.
import { benchmarkRead } from './harness/reads.ts'

await benchmarkRead('api-read-list', {
  path: () => '/repos?limit=100&sort_by=default_branch.last_build:desc',
  headers: { 'service-api-version': '3' },
})
