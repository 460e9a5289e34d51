import { expect, test } from 'vitest'
import { skipCommand } from '../../src/domain/request/skip.ts'

test.each([
  '[skip ci]',
  '[ci skip]',
  '[ci:skip]',
  '[ci: skip]',
  '[SKIP CI]',
  '[skip  service]',
  '[service skip]',
  '[skip service ci]',
  '[service-ci skip]',
  '[skip serviceci]',
])('%s skips a build, anywhere in the message', (command) => {
  expect(skipCommand(`Subject\n\nBody ${command} and more`)).toBe(command)
})

test.each(['skip ci', '[skipci]', '[ci-skip]', '[skip cia]', '[skip]', '[no ci]', ''])(
  '%j does not skip a build',
  (message) => {
    expect(skipCommand(message)).toBeUndefined()
  },
)
