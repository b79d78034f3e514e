// Renaming without replacing a file.
#ifndef PIUPIU_RENAMING_H
#define PIUPIU_RENAMING_H

#if defined(__linux__)

// Renames a file unless the new name is taken. Returns 0, or -1 with errno: EEXIST if the name is taken; EINVAL, ENOSYS and
// others if the disk or the kernel does not support this.
int pp_rename_to_free_name(const char *_Nonnull from, const char *_Nonnull to);

#endif
#endif
