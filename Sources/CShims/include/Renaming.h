// Renaming that replaces nothing.
#ifndef PIUPIU_RENAMING_H
#define PIUPIU_RENAMING_H

#if defined(__linux__)

// Renames a file unless the new name is taken. Returns 0, or -1 with errno: EEXIST if it is taken; EINVAL, ENOSYS and others
// if the disk or the kernel cannot do that.
int pp_rename_to_free_name(const char *_Nonnull from, const char *_Nonnull to);

#endif
#endif
