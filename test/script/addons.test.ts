import { expect, test } from 'vitest'
import { addonsProgram, hostsOf } from '../../src/script/addons/addons.ts'

test('a disabled add-on installs nothing', () => {
  const apt = { packages: ['greeter'] }
  expect(addonsProgram({ addons: { apt } })).toContain('greeter')
  expect(addonsProgram({ addons: { apt: { ...apt, enabled: true } } })).toContain('greeter')
  expect(addonsProgram({ addons: { apt: { ...apt, enabled: false } } })).toBe('')
})

test('host names can contain underscores, but no characters with a meaning in /etc/hosts', () => {
  const hosts = ['my_db', 'a.b-c', '_x', 'a b', '#x', '-x']
  expect(hostsOf({ addons: { hosts } })).toEqual({ hosts: ['my_db', 'a.b-c', 'a', 'b'] })
})
