/** Why nothing caused by this user runs, and how to build the user's commit anyway. */
export function ofBlockedText(login: string): string {
  return (
    `${login} is blocked here: to build the commit, review it and push it yourself, or ask an ` +
    `administrator to unblock ${login}`
  )
}
