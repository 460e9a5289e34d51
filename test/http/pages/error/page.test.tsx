import { expect, test } from 'vitest'
import { ErrorPage } from '../../../../src/http/pages/error/page.tsx'
import { textOfPage } from '../reading.ts'
import { frame } from '../records.ts'

test.each([
  [401, 'A login is needed'],
  [403, 'Not allowed'],
  [
    404,
    'Not found There is nothing at this address, or it is not visible to you. Check the address',
  ],
  [405, 'That did not work'],
  [413, 'Too large That is more than the service accepts at once.'],
  [422, 'Not accepted The submitted data is incomplete'],
  [429, 'Too many requests'],
  [500, 'Something went wrong'],
  [503, 'Unavailable The service cannot reach its database.'],
])('%d explains what happened and what to do', (status, words) => {
  const text = textOfPage(<ErrorPage frame={frame} status={status} />)
  expect(text).toContain(`${status} ${words}`)
  expect(text).toContain('To the repositories')
})

test('a build file that takes too long to read has an explanation of its own', () => {
  const text = textOfPage(<ErrorPage frame={frame} status={422} isCostly />)
  expect(text).toContain('422 Too much to read Reading this build file takes more time')
})

test.each([
  [500, true],
  [404, false],
])('%d shows the id of the request for the operator: %s', (status, told) => {
  const text = textOfPage(<ErrorPage frame={frame} status={status} requestId="req-17" />)
  expect(text.includes('req-17')).toBe(told)
})
