/** Why nothing runs of what this user caused, and how their commit is built all the same. */
export function ofBlockedText(login: string): string {
  return (
    `${login} is blocked here: review the commit and push it yourself to have it built, or ask an ` +
    `administrator to unblock ${login}`
  )
}
