import { account, organization } from '../shapes/account.ts'
import { repository as shape } from '../shapes/repository.ts'
import type { Account, Repository } from '../tables.ts'
import type { World } from '../world.ts'

/** What every event about a repository contains. */
export function about(world: World, repository: Repository, sender: Account) {
  return {
    repository: shape(world, repository),
    ...(repository.owner.type === 'Organization'
      ? { organization: organization(world, repository.owner) }
      : {}),
    sender: account(world, sender),
  }
}

/** A git object that there is not. */
export const zeros = '0'.repeat(40)

export function shortRef(ref: string): string {
  return ref.replace(/^refs\/[^/]+\//, '')
}
