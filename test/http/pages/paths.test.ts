import { expect, test } from 'vitest'
import * as paths from '../../../src/http/pages/paths.ts'

test('paths begin with the prefix and hold escaped names', () => {
  const repository = { owner_name: 'octavia', name: 'a/b?c' }
  expect([
    paths.homePath('/ci'),
    paths.homePath(''),
    paths.stylePath('/ci', 'a b'),
    paths.repositoryPath('/ci', repository),
    paths.buildPath('/ci', repository, { id: 9 }),
    paths.jobPath('', repository, { id: 21 }),
    paths.logPath('/ci', { id: 21 }),
  ]).toEqual([
    '/ci/',
    '/',
    '/ci/assets/style.css?v=a%20b',
    '/ci/octavia/a%2Fb%3Fc',
    '/ci/octavia/a%2Fb%3Fc/builds/9',
    '/octavia/a%2Fb%3Fc/jobs/21',
    '/ci/jobs/21/log',
  ])
})
