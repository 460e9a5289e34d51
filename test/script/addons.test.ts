import { expect, test } from 'vitest'
import { addonsProgram, hostsOf } from '../../src/script/addons/addons.ts'

test('an add-on that is turned off installs nothing', () => {
  const apt = { packages: ['greeter'] }
  expect(addonsProgram({ addons: { apt } })).toContain('greeter')
  expect(addonsProgram({ addons: { apt: { ...apt, enabled: true } } })).toContain('greeter')
  expect(addonsProgram({ addons: { apt: { ...apt, enabled: false } } })).toBe('')
})

test('names of hosts may have underscores, and nothing that a file of hosts reads otherwise', () => {
  const hosts = ['my_db', 'a.b-c', '_x', 'a b', '#x', '-x']
  expect(hostsOf({ addons: { hosts } })).toEqual({ hosts: ['my_db', 'a.b-c', 'a', 'b'] })
})
