import type { AnyResource } from '../resource.ts'
import { branch } from './branch.ts'
import { build } from './build.ts'
import { organization, user } from './owner.ts'
import { repository } from './repository.ts'

/** Every resource of V3, by its type. */
export const registry = {
  branch: branch as unknown as AnyResource,
  build: build as unknown as AnyResource,
  organization: organization as unknown as AnyResource,
  repository: repository as unknown as AnyResource,
  user: user as unknown as AnyResource,
} satisfies Record<string, AnyResource>
