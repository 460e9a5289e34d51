import { spawnSync } from 'node:child_process'
import type { Need } from './needs.ts'

/** Everything but what the npm that runs the tests tells its scripts about itself. */
export const ownEnvironment = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) => !/^npm_(lifecycle|package|node|exec|command|config_(\w+_)?prefix)/.test(name),
  ),
)

/** Of tests that download packages. */
export function registryFor(tests: string): Need {
  const { status } = spawnSync('npm', ['view', 'npm@10', 'version'], { env: ownEnvironment })
  return { tests, missing: status === 0 ? undefined : 'the registry of npm is out of reach' }
}
