#ifndef PIUPIU_C_TRUST_H
#define PIUPIU_C_TRUST_H

// Makes every handle that libcurl makes in this process from now on trust these authorities (PEM), no others.
void ct_trust(const char *file);

#endif
