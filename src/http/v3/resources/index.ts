import type { AnyResource } from '../resource.ts'
import { allowance } from './allowance.ts'
import { branch } from './branch.ts'
import { build } from './build.ts'
import { membership } from './membership.ts'
import { organization, user } from './owner.ts'
import { repository } from './repository.ts'

/** Every resource of V3, by its type. */
export const registry: Readonly<Record<string, AnyResource>> = {
  allowance,
  branch,
  build,
  membership,
  organization,
  repository,
  user,
}
