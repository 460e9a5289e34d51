import type { OwnerType } from './owner.ts'

/** An installation of the app, as the code host describes it. */
export interface InstallationFacts {
  codehost_id: number
  account: { codehost_id: number; login: string; type: OwnerType }
  /** Whether it covers all repositories of the account, including later ones. */
  repository_selection: 'all' | 'selected'
  permissions: Record<string, string>
  events: string[]
  suspended: boolean
}

/** Enterprises have no login and own no repositories: their installations are of no interest. */
export function isOfEnterprise({ account }: Pick<InstallationFacts, 'account'>): boolean {
  return account.login === ''
}
