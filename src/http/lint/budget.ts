import { tooManyRequests } from '../../domain/errors.ts'

/** What all that an address asks of the linter can take: as much at once, and as much per minute. */
const budgetOfAddress = { milliseconds: 10_000, seconds: 60 }

/** What is set aside for a task before it is known what it takes. */
const portion = 250

/** Even the smallest task costs the parts of the service around the linter some time. */
const least = 5

/** So many addresses are remembered at most before those are forgotten that have all of their budget. */
const mostAddresses = 10_000

export interface Budget {
  /**
   * Does a task for an address at its expense, after those that it asked for before, so that others
   * do not wait for all of them. Throws where its time is used up.
   */
  spend<T extends { spent: number }>(address: string, task: () => Promise<T>): Promise<T>
}

interface Account {
  left: number
  /** Milliseconds, when `left` was right. */
  at: number
  /** Set aside for tasks that are not done yet. */
  setAside: number
  turn: Promise<unknown>
}

/** Counts the computing time of the tasks of each address, of all doors together. */
export function openBudget(now: () => Date): Budget {
  const accounts = new Map<string, Account>()

  function accountOf(address: string): Account {
    const at = now().getTime()
    const known = accounts.get(address)
    if (known) return refill(known, at)
    if (accounts.size >= mostAddresses) forgetFull(accounts, at)
    const left = budgetOfAddress.milliseconds
    const account = { left, at, setAside: 0, turn: Promise.resolve() }
    accounts.set(address, account)
    return account
  }

  return {
    async spend(address, task) {
      const account = accountOf(address)
      if (account.left - account.setAside < portion) throw refusal(account)
      account.setAside += portion
      const done = account.turn.then(() => {
        // Those before it may have taken more than was set aside.
        if (account.left <= 0) throw refusal(account)
        return charged(account, task)
      })
      account.turn = done.catch(() => undefined)
      return done.finally(() => (account.setAside -= portion))
    },
  }
}

/** Does a task, and takes from the account what it cost, which its result or its error says. */
async function charged<T extends { spent: number }>(
  account: Account,
  task: () => Promise<T>,
): Promise<T> {
  try {
    const result = await task()
    account.left -= Math.max(least, result.spent)
    return result
  } catch (error) {
    account.left -= Math.max(least, spentBefore(error))
    throw error
  }
}

function refusal({ left, setAside }: Account) {
  return tooManyRequests((portion + setAside - left) / rate)
}

/** Milliseconds of computing time that each millisecond adds. */
const rate = budgetOfAddress.milliseconds / (budgetOfAddress.seconds * 1000)

function refill(account: Account, at: number): Account {
  const added = Math.max(0, at - account.at) * rate
  account.left = Math.min(budgetOfAddress.milliseconds, account.left + added)
  account.at = at
  return account
}

function forgetFull(accounts: Map<string, Account>, at: number): void {
  for (const [address, account] of accounts) {
    const { left, setAside } = refill(account, at)
    if (left >= budgetOfAddress.milliseconds && setAside === 0) accounts.delete(address)
  }
}

function spentBefore(error: unknown): number {
  const { spent } = error as { spent?: unknown }
  return typeof spent === 'number' ? spent : 0
}
