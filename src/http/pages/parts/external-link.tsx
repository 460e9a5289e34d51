import type { ComponentChildren } from 'preact'

/** Whether an address from outside is safe to link to: http and https only. */
export function isWebAddress(address: string): boolean {
  return /^https?:\/\//i.test(address)
}

interface ExternalLinkProps {
  href: string | null
  children: ComponentChildren
}

/** A link to another site; plain text if the address is not safe to link to. */
export function ExternalLink({ href, children }: ExternalLinkProps) {
  if (href === null || !isWebAddress(href)) return <>{children}</>
  return (
    <a href={href} rel="noopener noreferrer nofollow">
      {children}
    </a>
  )
}
